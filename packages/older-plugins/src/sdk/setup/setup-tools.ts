export { formatDocsLink } from "./setup.js";
