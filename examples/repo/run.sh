#!/bin/bash
#SBATCH --job-name=vit-cifar
#SBATCH --nodes=2
#SBATCH --gres=gpu:8
#SBATCH --time=08:00:00

srun torchrun --nnodes=2 --nproc-per-node=8 train.py --config configs/vit.yaml --batch-size 64 --accumulate 2
