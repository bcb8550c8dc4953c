export default (api) => {
  api.on("before_tool_call", () => ({ blocked: true }));
};
