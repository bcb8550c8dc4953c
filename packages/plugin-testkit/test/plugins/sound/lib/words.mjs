export const countWords = (text) => text.split(/\s+/).filter((word) => word !== "").length;
