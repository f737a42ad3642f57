// Small pictures of the gallery, drawn by web/thumbnails.mjs.
export const thumbnails = {};
