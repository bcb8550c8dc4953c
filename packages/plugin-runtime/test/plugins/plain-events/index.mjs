// A plugin without types, which treats events as plain objects.
import { isDeepStrictEqual } from "node:util";

/** What plain JavaScript sees of an object. */
function lookAt(object) {
  return {
    keys: Object.keys(object),
    spread: { ...object },
    json: JSON.parse(JSON.stringify(object)),
    clone: structuredClone(object),
    equalsItsSpread: isDeepStrictEqual(object, { ...object }),
    has: ["toolName", "to", "context", "absent"].filter((name) => name in object),
  };
}

export function register(api) {
  // Changes every argument, and reports the original values.
  api.on(
    "before_tool_call",
    (event, context) => {
      const guidance = JSON.stringify([lookAt(event), event.context === context]);
      event.toolName = "changed";
      event.params.path = "changed";
      event.params.options.tags.push("changed");
      delete event.runId;
      context.sessionKey = "changed";
      return { guidance };
    },
    { priority: 1 },
  );
  api.on("before_tool_call", (event, context) => ({
    guidance: JSON.stringify([lookAt(event), context.sessionKey === "agent:main:main"]),
  }));

  api.on("message_sending", (event, context) => ({
    content: JSON.stringify([lookAt(event), lookAt(context)]),
  }));

  api.on(
    "before_prompt_build",
    ({ messages }) => {
      messages.pop();
      messages.push({ role: "user", content: [], timestamp: 0 });
      messages.push({ role: "user", content: [], timestamp: 0 });
      return { prependContext: `${messages.length} messages` };
    },
    { priority: 1 },
  );
  api.on("before_prompt_build", ({ messages }) => {
    const appendContext = messages.map(({ content }) => content[0].text).join();
    return { appendContext };
  });
  // Fails: messages are frozen.
  api.on(
    "before_prompt_build",
    ({ messages }) => {
      messages[0].content[0].text = "changed";
      return { appendContext: "not merged" };
    },
    { priority: -1 },
  );
}
