/** First path segments of the host, which no plugin may use (GW-039). */
export const HOST_PATHS = [
  "/api",
  "/v1",
  "/ws",
  "/mcp",
  "/hooks",
  "/webhook",
  "/channels",
  "/wasm-channels",
  "/worker",
  "/oauth",
  "/healthz",
  "/readyz",
  "/metrics",
  "/openapi.json",
] as const;
