export default {
  id: "object",
  name: "From the module",
  version: "2.0.0",
  tool: "who",
  register(api) {
    const { tool } = this;
    api.registerTool({ name: tool, description: tool, parameters: {}, execute: () => tool });
  },
  activate() {
    throw new Error("register beats activate");
  },
};
