export function register(api) {
  api.logger.info(api.id);
}
