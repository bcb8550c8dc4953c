module.exports = {
  register: async (api) => {
    api.registerTool({
      name: "old_object",
      description: "Answers in the old style.",
      parameters: { type: "object", properties: {} },
      execute: async () => ({ content: [{ type: "text", text: "from an object" }] }),
    });
  },
};
