module.exports = {
  register: async (api) => {
    api.on("session_start", () => {});
  },
};
