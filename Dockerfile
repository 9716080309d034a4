# One image for every service. The command selects the service; see docker-compose.yml.

FROM node:24.22.3-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
COPY web-admin/icons web-admin/icons
# No package needs its install script.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM dependencies AS build
# Development dependencies build the site, console and services, and stay out of the image.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# With `--build-arg UPDATE_CHECK=on` the build asks the package registry for known vulnerabilities.
ARG UPDATE_CHECK=off
# Makes files readable for the user below, however strict the checkout's permissions were.
RUN UPDATE_CHECK=$UPDATE_CHECK npm run build && rm -r node_modules && chmod -R a+rX .

FROM node:24.22.3-slim
ENV NODE_ENV=production
# The tested Node.js from package-lock.json takes precedence over the image's own of the same version.
ENV PATH=/app/node_modules/.bin:$PATH
WORKDIR /app
COPY --from=build /app .
COPY --from=dependencies /app/node_modules node_modules
# A new volume inherits the owner and permissions of the folder where it is first mounted.
RUN install -d -m 700 -o node -g node \
  /var/registry/files /var/registry/erasures /var/registry/backups /var/registry/backup-keys
# A base image user who owns nothing in /app and writes only to these volumes.
USER node
CMD ["node", "launcher/run.js", "web"]
