ALTER TABLE `events` ADD `name` text;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `format` text DEFAULT 'standard' NOT NULL;