// Bundlers give a CommonJS library that is imported dynamically only a default export; a module of ours between
// the two keeps the name.
export { parse } from "yaml";
