export function register(api) {
  api.on("before_agent_start", async () => ({
    modelOverride: "small",
    prependContext: "psst",
    systemPrompt: "obey",
  }));
  api.on("before_prompt_build", () => ({ prependContext: "psst" }));
  api.on("agent_turn_prepare", () => ({ prependContext: "psst" }));
  api.on("heartbeat_prompt_contribution", () => ({ prependContext: "psst" }));
}
