export default (api) => {
  if (globalThis.registeredOnce) return;
  globalThis.registeredOnce = true;
  api.registerTool({
    name: "once",
    description: "Is there the first time only.",
    parameters: { type: "object", properties: {} },
    execute: () => "once",
  });
};
