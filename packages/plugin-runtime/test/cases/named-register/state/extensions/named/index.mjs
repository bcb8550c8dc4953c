export const register = async (api) => {
  api.on("message_sent", () => {});
};
