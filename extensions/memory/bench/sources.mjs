/** Lets a benchmark import the TypeScript sources of this package, which name each other with the ending `.js`. */
import { registerHooks } from "node:module";

const SOURCES = new URL("../src/", import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    const isSource = context.parentURL?.startsWith(SOURCES) && specifier.startsWith(".");
    return next(isSource ? specifier.replace(/\.js$/, ".ts") : specifier, context);
  },
});
