export default (api) => {
  api.registerTool({
    name: "unannounced",
    description: "Stands in no manifest.",
    parameters: { type: "object", properties: {} },
    execute: () => "here",
  });
};
