export default (api) => {
  api.on("session_start", () => {});
};
