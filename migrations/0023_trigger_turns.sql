DROP INDEX `triggers_by_tenant`;--> statement-breakpoint
CREATE INDEX `triggers_by_tenant` ON `triggers` (`tenant_id`,`next_fire_at_ms`);