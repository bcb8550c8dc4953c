export default (api) => {
  api.on("before_tool_call", () => {
    console.error("I have seen enough");
    process.exit(7);
  });
};
