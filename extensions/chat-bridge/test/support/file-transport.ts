import { get } from "node:http";

/**
 * Returns a transport for downloads that goes to a fake platform, by the path of the URL.
 * @param origin - returns the origin of the fake
 */
export function transportTo(origin: () => string) {
  return (url: URL, signal: AbortSignal, headers?: Record<string, string>) =>
    new Promise((resolve, reject) => {
      const target = `${origin()}${url.pathname}${url.search}`;
      get(target, { signal, headers: { ...headers } }, resolve).once("error", reject);
    });
}
