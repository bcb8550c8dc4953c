module.exports = async (api) => {
  api.on("session_end", () => {});
};
