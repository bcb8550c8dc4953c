import { Type } from "@sinclair/typebox";

async function runner() {
  try {
    return await import("../../../src/agents/pi-embedded-runner.js");
  } catch {
    return import("../../../agents/pi-embedded-runner.js");
  }
}

export function register(api) {
  api.registerTool({
    name: "ask",
    description: "Asks.",
    parameters: Type.Object({ text: Type.String() }),
    execute: async () => "",
  });
  api.on("before_tool_call", async () => {
    const { runEmbeddedPiAgent } = await runner();
    const { payloads } = await runEmbeddedPiAgent({ prompt: "May it run?", disableTools: true });
    return { block: true, blockReason: payloads[0].text };
  });
}
