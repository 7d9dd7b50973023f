CREATE TABLE `own_hosts` (
	`host` text PRIMARY KEY NOT NULL,
	`first_seen_at_ms` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `events` ADD `hops` integer;--> statement-breakpoint
ALTER TABLE `webhook_deliveries` ADD `waits_in` text;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_under_way` ON `webhook_deliveries` (`tenant_id`,`lease_until_ms`) WHERE lease_until_ms > 0;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_waiting` ON `webhook_deliveries` (`tenant_id`,`waits_in`,`id`) WHERE waits_in IS NOT NULL;--> statement-breakpoint
CREATE INDEX `template_versions_by_tenant` ON `template_versions` (`tenant_id`);