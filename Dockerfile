# The web server, the workers and the sweeper are one image with different commands: see docker-compose.yml.
FROM python:3.13-slim

# A mirror of PyTorch's CPU index. Without it PyTorch's own is asked; if that cannot be reached, the image contains
# gigabytes of CUDA.
ARG TORCH_INDEX=
ENV PYTHONUNBUFFERED=1 PIP_NO_CACHE_DIR=1 GRADUS_VAR=/srv/gradus/var

WORKDIR /srv/gradus
COPY run.py requirements.txt ./
RUN TORCH_INDEX="$TORCH_INDEX" python run.py install

COPY . .
ENV PATH=/srv/gradus/.venv/bin:$PATH
# The key serves this one command; a running container gets its own. The database, which is never opened, keeps settings
# from making var/ a private folder of root's: the web server's user reads these files.
RUN SECRET_KEY=only-for-collecting-static-files-while-the-image-is-built ALLOWED_HOSTS=localhost \
    DATABASE_URL=postgres://nobody@localhost/none python manage.py collectstatic --noinput && useradd --system gradus

EXPOSE 8000
CMD ["gunicorn", "config.wsgi", "--bind=0.0.0.0:8000", "--worker-class=gthread", "--workers=2", "--threads=8", \
     "--timeout=60", "--graceful-timeout=5", "--no-control-socket", "--worker-tmp-dir=/dev/shm"]
