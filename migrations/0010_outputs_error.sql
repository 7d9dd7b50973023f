ALTER TABLE `deployments` ADD `outputs_error` text;--> statement-breakpoint
ALTER TABLE `instances` ADD `outputs_stale_since_ms` integer;