ALTER TABLE `api_keys` ADD `search_text` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `cloud_targets` ADD `search_text` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `instances` ADD `search_text` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `profiles` ADD `search_text` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `templates` ADD `search_text` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `tenants` ADD `search_text` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `search_text` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `secret_created_at_ms` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `api_keys` SET `search_text` = upper(`name`);--> statement-breakpoint
UPDATE `cloud_targets` SET `search_text` = upper(`name`);--> statement-breakpoint
UPDATE `instances` SET `search_text` = upper(`name`);--> statement-breakpoint
UPDATE `profiles` SET `search_text` = upper(`name`);--> statement-breakpoint
UPDATE `templates` SET `search_text` = upper(`name`);--> statement-breakpoint
UPDATE `tenants` SET `search_text` = upper(`name`);--> statement-breakpoint
UPDATE `webhooks` SET `search_text` = upper(`description`), `secret_created_at_ms` = `created_at_ms`;
