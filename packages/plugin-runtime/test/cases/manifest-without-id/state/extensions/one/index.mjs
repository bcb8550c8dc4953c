export const id = "own-name";
export default { id: "own-name", register: (api) => api.on("session_start", () => {}) };
