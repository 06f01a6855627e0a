{{/* Settings of the service that follow from other values, a YAML object. */}}
{{- define "berth.settings" -}}
BERTH_HOST: 0.0.0.0
BERTH_PORT: '8080'
BERTH_DATA_DIR: /data
BERTH_REGIONS: 'NA=kubernetes:'
BERTH_KUBERNETES_NAMESPACE: {{ include "berth.sessionsNamespace" . | quote }}
BERTH_KUBERNETES_IMAGES: chromium={{ .Values.sessions.images.chromium }},console={{ .Values.sessions.images.console }}{{ with .Values.sessions.images.android }},android={{ . }}{{ end }}
{{- with .Values.sessions.android.kvmResource }}
BERTH_KUBERNETES_KVM_RESOURCE: {{ . | quote }}
{{- end }}
{{- with (include "berth.androidNodes" .) }}
BERTH_KUBERNETES_ANDROID_NODES: {{ trimPrefix "," . | quote }}
{{- end }}
BERTH_KUBERNETES_SECCOMP: {{ .Values.sessions.seccomp | quote }}
BERTH_KUBERNETES_HOST_USERS: {{ .Values.sessions.hostUsers | quote }}
BERTH_KUBERNETES_GRACE: {{ .Values.sessions.graceSeconds | quote }}
{{- if eq .Values.sessions.egress "open" }}
BERTH_EGRESS: open
{{- else }}
BERTH_KUBERNETES_EGRESS: {{ .Values.sessions.egress }}
{{- end }}
{{- with .Values.sessions.egressAllow }}
BERTH_EGRESS_ALLOW: {{ join "," . | quote }}
{{- end }}
{{- with .Values.sessions.pullSecrets }}
BERTH_KUBERNETES_PULL_SECRETS: {{ join "," . | quote }}
{{- end }}
{{- with (include "berth.nodes" .) }}
BERTH_KUBERNETES_NODES: {{ trimPrefix "," . | quote }}
{{- end }}
{{- with .Values.sessions.tolerations }}
BERTH_KUBERNETES_TOLERATIONS: {{ toJson . | quote }}
{{- end }}
{{- with .Values.sessions.annotations }}
BERTH_KUBERNETES_ANNOTATIONS: {{ toJson . | quote }}
{{- end }}
{{- if .Values.caCertificates.configMap }}
BERTH_CA_FILES: /etc/berth/ca/{{ join ",/etc/berth/ca/" .Values.caCertificates.keys }}
{{- end }}
{{- with .Values.sessions.runtimeClassName }}
BERTH_RUNTIME: {{ . | quote }}
{{- end }}
{{- end }}
