/** The files that `guide-pages.ts` reads, relative to the project. */
export const guideSources = ["docs/*.md", "examples/*.yaml"];
