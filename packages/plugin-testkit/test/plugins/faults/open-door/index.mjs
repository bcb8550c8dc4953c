export default (api) => {
  api.on("before_agent_run", () => ({ outcome: "pass" }), { onTimeout: "fail-open" });
};
