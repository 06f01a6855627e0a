{{/* Settings without which a service that has no volume loses something with each of its Pods. */}}
{{- define "berth.secretSettings" -}}
BERTH_DATABASE_URL,BERTH_SECRETS,BERTH_API_KEYS,BERTH_WEBHOOK_SECRET
{{- end -}}

{{/* Refuses values with which something that must last is kept in a Pod's own folders. */}}
{{- define "berth.checkStorage" -}}
{{- $settings := .Values.settings -}}
{{- if .Values.persistence.enabled -}}
{{- $url := dig "BERTH_DATABASE_URL" "" $settings -}}
{{- if and (hasPrefix "sqlite:" $url) (not (hasPrefix "/data/" (clean (trimPrefix "sqlite:" $url)))) -}}
{{- fail (printf "settings.BERTH_DATABASE_URL: %s is in no volume, so the database would be lost with each Pod of the service; use a file in /data." $url) -}}
{{- end -}}
{{- $profiles := dig "BERTH_PROFILE_DIR" "" $settings -}}
{{- if and $profiles (not (hasPrefix "/data/" (clean $profiles))) -}}
{{- fail (printf "settings.BERTH_PROFILE_DIR: %s is in no volume, so profiles would be lost with each Pod of the service; use a folder in /data." $profiles) -}}
{{- end -}}
{{- else -}}
{{- $secretSettings := splitList "," (include "berth.secretSettings" .) -}}
{{- if not .Values.existingSecret -}}
{{- fail (printf "persistence.enabled: without a volume the database and all keys would be lost with each Pod of the service; name a secret in existingSecret that has %s, with a PostgreSQL as the database." (join ", " $secretSettings)) -}}
{{- end -}}
{{- range $secretSettings -}}
{{- if hasKey $settings . -}}
{{- fail (printf "settings.%s: without a volume it must be in the secret that existingSecret names." .) -}}
{{- end -}}
{{- end -}}
{{- if not (dig "BERTH_PROFILE_S3_BUCKET" "" $settings) -}}
{{- fail "persistence.enabled: without a volume profiles would be lost with each Pod of the service; set settings.BERTH_PROFILE_S3_BUCKET." -}}
{{- end -}}
{{- end -}}
{{- end -}}
