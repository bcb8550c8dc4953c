export { loadWordEmbeddings, type WordEmbeddings } from "./embeddings.js";
