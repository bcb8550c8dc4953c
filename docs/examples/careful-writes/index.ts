import { definePluginEntry } from "openclaw/plugin-sdk/plugin-entry";

const GENERATED = /(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml|dist\/.*)$/;

export default definePluginEntry({
  id: "careful-writes",
  register(api) {
    api.on("before_tool_call", ({ toolName, params }) => {
      if (toolName !== "write") return;
      const path = String(params.path ?? "");
      // The call comes back once, unexecuted; the same call made again goes through.
      if (GENERATED.test(path)) {
        return {
          requestReconsideration: true,
          guidance: `${path} is generated: change what it is made from, and run the tool that makes it.`,
        };
      }
      // The call runs, and the model reads this with its result.
      if (path.endsWith(".md")) {
        return { guidance: "House rules for Markdown: lines of at most 110 characters, no HTML." };
      }
    });
  },
});
