/** In place of `prose.ts` in the Worker. Without a body, or the bundler would keep each call and its text. */
export function prose(): void {}
