export default (api) => {
  api.on("before_tool_call", () => new Promise(() => {}));
};
