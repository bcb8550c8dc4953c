import { isHookName } from "@openclaw/plugin-sdk/hooks";
import { readString } from "@openclaw/plugin-sdk/param-readers";
import { defineCommand, definePluginEntry } from "@openclaw/plugin-sdk/plugin-entry";
import { defineService } from "@openclaw/plugin-sdk/services";
import { textResult } from "@openclaw/plugin-sdk/tool-results";
import { defineTool } from "@openclaw/plugin-sdk/tools";
function isForNobody(event) {
    return event.toolName === "greet" && event.params.name === "nobody";
}
export default definePluginEntry({
    id: "api-fixture",
    register(api) {
        const greeting = String(api.pluginConfig.greeting ?? "Hello");
        api.registerTool(defineTool({
            name: "greet",
            description: "Greets a person, and counts the greetings.",
            parameters: {
                type: "object",
                properties: { name: { type: "string" } },
                required: ["name"],
                additionalProperties: false,
            },
            async execute(_toolCallId, params) {
                const name = readString(params, "name", { required: true });
                const before = await api.store.kv.get("greetings");
                await api.store.kv.set("greetings", Number(before ?? 0) + 1);
                return textResult(`${greeting}, ${name}! (${String(await api.store.kv.get("greetings"))})`);
            },
        }));
        api.on("before_tool_call", (event) => isForNobody(event) ? { block: true, blockReason: "nobody is there" } : undefined);
        api.on("before_tool_call", ({ toolName, params }) => toolName === "greet"
            ? { params: { ...params, name: String(params.name).trim() } }
            : undefined);
        api.lifecycle.on("tool.post", ({ toolName, outcome }) => {
            api.logger.info(`${toolName} ended with ${outcome}`);
        });
        api.registerService(defineService({
            id: "fixture-service",
            start: () => api.logger.info("started"),
            stop: () => api.logger.info("stopped"),
        }));
        api.registerCommand(defineCommand({
            name: "fixture",
            description: "Answers.",
            handler: () => ({ text: isHookName("agent_end") ? "here" : "lost" }),
        }));
    },
});
