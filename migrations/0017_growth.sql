DROP INDEX `deployments_open`;--> statement-breakpoint
CREATE INDEX `api_keys_by_update` ON `api_keys` (`tenant_id`,`updated_at_ms`,`id`);--> statement-breakpoint
CREATE INDEX `api_keys_by_name` ON `api_keys` (`tenant_id`,name COLLATE NOCASE,`id`);--> statement-breakpoint
CREATE INDEX `cloud_targets_by_update` ON `cloud_targets` (`tenant_id`,`updated_at_ms`,`id`);--> statement-breakpoint
CREATE INDEX `instances_by_update` ON `instances` (`tenant_id`,`updated_at_ms`,`id`);--> statement-breakpoint
CREATE INDEX `listing_slugs_by_tenant` ON `listing_slugs` (`tenant_id`);--> statement-breakpoint
CREATE INDEX `listings_by_template` ON `listings` (`template_id`);--> statement-breakpoint
CREATE INDEX `profiles_by_update` ON `profiles` (`tenant_id`,`updated_at_ms`,`id`);--> statement-breakpoint
CREATE INDEX `templates_by_update` ON `templates` (`tenant_id`,`updated_at_ms`,`id`);--> statement-breakpoint
CREATE INDEX `tenants_by_name` ON `tenants` (name COLLATE NOCASE,`id`);--> statement-breakpoint
CREATE INDEX `tenants_by_update` ON `tenants` (`updated_at_ms`,`id`);--> statement-breakpoint
CREATE INDEX `triggers_by_tenant` ON `triggers` (`tenant_id`);--> statement-breakpoint
CREATE INDEX `webhooks_by_update` ON `webhooks` (`tenant_id`,`updated_at_ms`,`id`);