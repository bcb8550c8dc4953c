export default (api) => {
  api.on("before_tool_call", ({ params }) => {
    if (params.query.length > 100) return { block: true, blockReason: "too long" };
    return undefined;
  });
};
