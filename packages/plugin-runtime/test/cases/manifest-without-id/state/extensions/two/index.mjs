export const register = (api) => api.on("session_start", () => {});
