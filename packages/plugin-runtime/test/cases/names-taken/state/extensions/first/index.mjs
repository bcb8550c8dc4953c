const tool = (name) => ({ name, description: "", parameters: {}, execute: () => name });

export function register(api) {
  api.registerTool(tool("search"));
  api.registerTool(tool("read"));
}
