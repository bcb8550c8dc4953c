module.exports = async (api) => {
  api.registerTool({
    name: "old_style",
    description: "Answers in the old style.",
    parameters: { type: "object", properties: {} },
    execute: async () => ({ content: [{ type: "text", text: "from a function" }] }),
  });
};
