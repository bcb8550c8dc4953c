export function register(api) {
  api.on("llm_input", () => {});
  api.on("before_agent_run", () => ({ outcome: "pass" }));
}
