/** The limit that every caller has. `[[ratelimits]]` of wrangler.toml says the same; a test compares them. */
export const defaultPolicy = { name: "default", quota: 600, windowSeconds: 60 } as const;
