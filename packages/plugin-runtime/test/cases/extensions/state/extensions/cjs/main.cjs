exports.register = (api) => {
  api.on("session_start", () => {});
};
