export default (api) => {
  api.on("before_tool_call", () => undefined, { onTimeout: "fail-open" });
};
