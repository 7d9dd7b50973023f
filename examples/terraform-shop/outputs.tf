output "zone" {
  value = module.network.zone
}

output "database_uri" {
  value     = module.database.uri
  sensitive = true
}

output "web_id" {
  value = module.web.id
}
