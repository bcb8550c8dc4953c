export default {
  register(api) {
    const found = [typeof api.runtime.nodes, typeof api.registerDance];
    if (api.registerDance) api.registerDance({ id: "waltz" });
    const names = api.runtime.nodes?.list() ?? [];
    api.registerTool({
      name: found.concat(names).join("_"),
      description: "Names what was found.",
      parameters: { type: "object", properties: {} },
      execute: async () => "",
    });
  },
};
