import type { Page } from "playwright-core";

/** Largest difference of a color channel that is none: fonts are drawn with soft edges. */
const SAME_COLOR = 64;

/**
 * Compares two pictures, in the browser that drew them.
 * @param accepted - PNG
 * @param drawn - PNG
 * @returns share of the pixels that differ, from 0 to 1; 1 for pictures of different sizes
 */
export async function differenceOf(page: Page, accepted: Buffer, drawn: Buffer): Promise<number> {
  return page.evaluate<number>(`(async () => {
    const pixels = async (data) => {
      const image = new Image();
      image.src = "data:image/png;base64," + data;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0);
      return context.getImageData(0, 0, image.width, image.height);
    };
    const [one, other] = await Promise.all(
      [${JSON.stringify(accepted.toString("base64"))}, ${JSON.stringify(drawn.toString("base64"))}].map(pixels));
    if (one.width !== other.width || one.height !== other.height) return 1;
    let different = 0;
    for (let at = 0; at < one.data.length; at += 4) {
      if ([0, 1, 2].some((channel) =>
        Math.abs(one.data[at + channel] - other.data[at + channel]) > ${SAME_COLOR})) different += 1;
    }
    return different / (one.data.length / 4);
  })()`);
}

/**
 * Returns a picture as WebP, for a page of the documentation.
 * @param png - picture
 */
export async function webpOf(page: Page, png: Buffer): Promise<Buffer> {
  const data = await page.evaluate<string>(`(async () => {
    const image = new Image();
    image.src = "data:image/png;base64," + ${JSON.stringify(png.toString("base64"))};
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.width;
    canvas.height = image.height;
    canvas.getContext("2d").drawImage(image, 0, 0);
    return canvas.toDataURL("image/webp", 0.75).split(",")[1];
  })()`);
  return Buffer.from(data, "base64");
}
