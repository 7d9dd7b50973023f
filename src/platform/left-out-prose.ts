/**
 * Replaces `prose.ts` in the Worker. It has no body, because otherwise the bundler would keep each call and its text.
 */
export function prose(): void {}
