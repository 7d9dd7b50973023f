/** The rate limit of every caller. It must equal `[[ratelimits]]` in wrangler.toml; a test compares them. */
export const defaultPolicy = { name: "default", quota: 600, windowSeconds: 60 } as const;
