CREATE TABLE `sweep_runs` (
	`id` integer PRIMARY KEY NOT NULL,
	`runs` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_failed` ON `webhook_deliveries` (`updated_at_ms`) WHERE state = 'EXHAUSTED';--> statement-breakpoint
CREATE INDEX `webhooks_open` ON `webhooks` (`circuit_open_since_ms`) WHERE circuit_open_since_ms IS NOT NULL;