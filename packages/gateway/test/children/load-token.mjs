// Says that it is ready, waits for the end of its input, then loads a token and prints it.
import { registerHooks } from "node:module";

// The sources import each other as ".js".
registerHooks({
  resolve(specifier, context, nextResolve) {
    const isSource = specifier.startsWith(".") && context.parentURL?.endsWith(".ts");
    return nextResolve(isSource ? specifier.replace(/\.js$/, ".ts") : specifier, context);
  },
});
const { loadGatewayToken } = await import("../../src/state/token.ts");

console.log("ready");
for await (const _ of process.stdin);
console.log(loadGatewayToken(process.argv[2]));
