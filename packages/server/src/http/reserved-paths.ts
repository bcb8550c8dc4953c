/** First parts of the host's own addresses; no plugin may have one (GW-039). */
export const HOST_PATHS = [
  "/api",
  "/v1",
  "/ws",
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
